"""The experiments of Tian and Zhang (2011), section 5, on one page."""
