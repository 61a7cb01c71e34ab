"""Results as one self-contained page, of sections that are declared once (`declare`)."""
