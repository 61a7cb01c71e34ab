"""
Lift chart and cumulative gains
===============================

To whom should we write if there is money for a quarter of the letters? Sort households by score and count the answers
from the top. The lift chart shows numbers, the gain curve shares of all answers; the dashed line is a mailing to
randomly selected households.
"""

import matplotlib.pyplot as plt
import numpy as np

import howsure

# %%
# Of 4,000 households 6 % answer. They have higher scores, but the distributions overlap considerably.

rng = np.random.default_rng(3)
answers = np.where(rng.random(4000) < 0.06, "answers", "silent")
score = rng.normal(np.where(answers == "answers", 1.3, 0.0))
a = howsure.assess(answers, scores=score, positive="answers", threshold=1.0)

# %%
# The lift of the first quarter is a ratio: how many times more answers it has than a random quarter.

print(a["lift(depth=0.25)"])
print(a["gain(depth=0.25)"])
figure, (left, right) = plt.subplots(1, 2, figsize=(9.6, 4.4), layout="constrained")
a.lift().plot(ax=left)
_ = a.gain(band="pointwise").plot(ax=right)
