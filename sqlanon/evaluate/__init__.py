"""The functions that say what a release costs against its source."""
