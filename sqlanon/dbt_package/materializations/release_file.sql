{#
    A release that leaves the house: a table, and the file that is written of it with its certificate beside it. The
    file gets its name once the bounds have been checked on what was written; sqlanon/dbt.py does that.

        config(materialized='release_file', location='patients.parquet', meta={'release': {
            'quasi_identifiers': ['age', 'zip'], 'sensitive_column': 'disease', 'l': 3}})

    With --empty, there is a table without rows, and no file is written: one that is there stays.
#}
{% materialization release_file, adapter='duckdb' %}
    {%- set location = render(config.require('location')) -%}
    {%- set target = this.incorporate(type='table') -%}
    {%- set existing = load_cached_relation(this) -%}
    {%- set checked = make_intermediate_relation(target, suffix='__dbt_tmp') -%}
    {%- set backup = make_backup_relation(target, 'table' if existing is none else existing.type) -%}

    {{ drop_relation_if_exists(load_cached_relation(checked)) }}
    {{ drop_relation_if_exists(load_cached_relation(backup)) }}
    {{ run_hooks(pre_hooks, inside_transaction=False) }}
    {{ run_hooks(pre_hooks, inside_transaction=True) }}

    {% call statement('main') -%}
        {{ create_table_as(False, checked, compiled_code) }}
    {%- endcall %}
    {{ adapter.commit() }}
    {% if not flags.EMPTY %}
        {% do adapter.store_relation(
            config.get('plugin', 'dbt'), checked, adapter.get_columns_in_relation(checked), location, 'file', config
        ) %}
    {% endif %}

    {% if existing is not none %}
        {{ adapter.rename_relation(existing, backup) }}
    {% endif %}
    {{ adapter.rename_relation(checked, target) }}
    {{ run_hooks(post_hooks, inside_transaction=True) }}
    {% do persist_docs(target, model) %}
    {{ adapter.commit() }}
    {{ drop_relation_if_exists(backup) }}
    {{ run_hooks(post_hooks, inside_transaction=False) }}
    {{ return({'relations': [target]}) }}
{% endmaterialization %}
