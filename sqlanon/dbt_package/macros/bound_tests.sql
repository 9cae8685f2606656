{#
    Written by sqlanon/dbt_package/generate.py from sqlanon/bounds/. Change these, then run it.

    Generic tests of bounds. They fail with the number of classes that break the bound.
#}

{% test k_anonymous(model, quasi_identifiers, k, sample_limit=none) %}
    {{ config(fail_calc='COALESCE(MAX(violating_classes), 0)') }}
    {% do sqlanon.check_number('k', k, 1, whole=true) %}
    {% set columns = sqlanon.checked_columns(model, quasi_identifiers) %}
    {{ sqlanon.broken_k(model, columns, k) }}
    {{ sqlanon.violating_classes('k', columns, sample_limit) }}
{% endtest %}

{% test l_diverse(model, quasi_identifiers, sensitive_column, l, sample_limit=none) %}
    {{ config(fail_calc='COALESCE(MAX(violating_classes), 0)') }}
    {% do sqlanon.check_number('l', l, 1) %}
    {% set columns = sqlanon.checked_columns(model, quasi_identifiers, sensitive_column) %}
    {{ sqlanon.broken_l(model, columns[:-1], columns[-1], l) }}
    {{ sqlanon.violating_classes('l', columns[:-1], sample_limit) }}
{% endtest %}

{% test distinct_l_diverse(model, quasi_identifiers, sensitive_column, distinct_l, sample_limit=none) %}
    {{ config(fail_calc='COALESCE(MAX(violating_classes), 0)') }}
    {% do sqlanon.check_number('distinct_l', distinct_l, 1) %}
    {% set columns = sqlanon.checked_columns(model, quasi_identifiers, sensitive_column) %}
    {{ sqlanon.broken_distinct_l(model, columns[:-1], columns[-1], distinct_l) }}
    {{ sqlanon.violating_classes('distinct_l', columns[:-1], sample_limit) }}
{% endtest %}

{% test entropy_l_diverse(model, quasi_identifiers, sensitive_column, entropy_l, sample_limit=none) %}
    {{ config(fail_calc='COALESCE(MAX(violating_classes), 0)') }}
    {% do sqlanon.check_number('entropy_l', entropy_l, 1) %}
    {% set columns = sqlanon.checked_columns(model, quasi_identifiers, sensitive_column) %}
    {{ sqlanon.broken_entropy_l(model, columns[:-1], columns[-1], entropy_l) }}
    {{ sqlanon.violating_classes('entropy_l', columns[:-1], sample_limit) }}
{% endtest %}

{% test t_close(model, quasi_identifiers, sensitive_column, t, sample_limit=none) %}
    {{ config(fail_calc='COALESCE(MAX(violating_classes), 0)') }}
    {% do sqlanon.check_number('t', t, 0, 1) %}
    {% set columns = sqlanon.checked_columns(model, quasi_identifiers, sensitive_column) %}
    {{ sqlanon.broken_t(model, columns[:-1], columns[-1], t) }}
    {{ sqlanon.violating_classes('t', columns[:-1], sample_limit) }}
{% endtest %}

{% test recursive_c_l_diverse(model, quasi_identifiers, sensitive_column, l, c, sample_limit=none) %}
    {{ config(fail_calc='COALESCE(MAX(violating_classes), 0)') }}
    {% do sqlanon.check_number('l', l, 1, whole=true) %}
    {% do sqlanon.check_number('c', c, 0) %}
    {% set columns = sqlanon.checked_columns(model, quasi_identifiers, sensitive_column) %}
    {{ sqlanon.broken_c(model, columns[:-1], columns[-1], l, c) }}
    {{ sqlanon.violating_classes('c', columns[:-1], sample_limit) }}
{% endtest %}

{% test tau_l_diverse(model, quasi_identifiers, sensitive_column, l, tau, sample_limit=none) %}
    {{ config(fail_calc='COALESCE(MAX(violating_classes), 0)') }}
    {% do sqlanon.check_number('l', l, 2, whole=true) %}
    {% do sqlanon.check_number('tau', tau, 0, 1) %}
    {% set columns = sqlanon.checked_columns(model, quasi_identifiers, sensitive_column) %}
    {{ sqlanon.broken_tau(model, columns[:-1], columns[-1], l, tau) }}
    {{ sqlanon.violating_classes('tau', columns[:-1], sample_limit) }}
{% endtest %}

{% test beta_like(model, quasi_identifiers, sensitive_column, beta, sample_limit=none) %}
    {{ config(fail_calc='COALESCE(MAX(violating_classes), 0)') }}
    {% do sqlanon.check_number('beta', beta, 0) %}
    {% set columns = sqlanon.checked_columns(model, quasi_identifiers, sensitive_column) %}
    {{ sqlanon.broken_beta(model, columns[:-1], columns[-1], beta) }}
    {{ sqlanon.violating_classes('beta', columns[:-1], sample_limit) }}
{% endtest %}

{% test delta_private(model, quasi_identifiers, sensitive_column, delta, sample_limit=none) %}
    {{ config(fail_calc='COALESCE(MAX(violating_classes), 0)') }}
    {% do sqlanon.check_number('delta', delta, 0) %}
    {% set columns = sqlanon.checked_columns(model, quasi_identifiers, sensitive_column) %}
    {{ sqlanon.broken_delta(model, columns[:-1], columns[-1], delta) }}
    {{ sqlanon.violating_classes('delta', columns[:-1], sample_limit) }}
{% endtest %}
