"""Results as self-contained HTML pages, built from declared sections."""
