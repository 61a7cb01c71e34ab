"""What other programs say of the same samples: each in an interpreter of its own, so that Howsure depends on none."""
