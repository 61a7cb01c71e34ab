"""The sections of pages; each module declares some of them."""
