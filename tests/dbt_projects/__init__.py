"""dbt: the plugin and the example with the real dbt, the package of tests in the dialect of every engine."""
