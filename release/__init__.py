"""What is done before a release."""
