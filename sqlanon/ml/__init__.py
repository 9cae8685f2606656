"""The worth of a release to a learner: decision trees and classification rules, against those of its source.

After the experiments of Tian and Zhang (2011), section 5.3.2. Trees need scikit-learn: `pip install sqlanon[ml]`.
"""

from __future__ import annotations

from .rules import PreservedRules, Rule, preserved_rules, rules
from .trees import ClassificationUtility, classification_utility

__all__ = ["ClassificationUtility", "PreservedRules", "Rule", "classification_utility", "preserved_rules", "rules"]
