"""
Lift chart and cumulative gains
===============================

Whom should we write to, if there is money for a quarter of the letters? Sort households by score and count the answers
from the top. The lift chart has them in numbers, the curve of gains as shares of all answers; the dashed line is a
mailing to households drawn at random.
"""

import matplotlib.pyplot as plt
import numpy as np

import howsure

# %%
# Of 4,000 households 6 % answer. The score is higher for those who do, with much overlap.

rng = np.random.default_rng(3)
answers = np.where(rng.random(4000) < 0.06, "answers", "silent")
score = rng.normal(np.where(answers == "answers", 1.3, 0.0))
a = howsure.assess(answers, scores=score, positive="answers", threshold=1.0)

# %%
# The lift of the first quarter is a ratio: how many times more answers than in a random quarter.

print(a["lift(depth=0.25)"])
print(a["gain(depth=0.25)"])
figure, (left, right) = plt.subplots(1, 2, figsize=(9.6, 4.4), layout="constrained")
a.lift().plot(ax=left)
_ = a.gain(band="pointwise").plot(ax=right)
