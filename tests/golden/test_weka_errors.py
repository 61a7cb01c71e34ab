"""Mean absolute, root mean squared and relative errors of probabilities, against those of Weka.

Origin: Weka 3.6.14 (Debian package 3.6.14-3, openjdk 17.0.15), its own example data, `randomize(new Random(7))`, Naive
Bayes trained on the first cases and evaluated on the next ones by `new Evaluation(train).evaluateModel(...)`. The
distributions are those of `distributionForInstance`, every digit (below 1e-60 written as 0), the errors those of
`meanAbsoluteError()`, `rootMeanSquaredError()`, `relativeAbsoluteError()` and `rootRelativeSquaredError()`; the last
two are percents there. Do not edit.
"""

from __future__ import annotations

import numpy as np
import pytest

import howsure

RTOL = 1e-12  # Weka gives every digit; only the order of the sums differs

# breast-cancer.arff: 60 cases in training, the next 24 in the test
BREAST_CANCER = {
    "training": [45, 15],  # cases of each class; Weka adds one to each
    "truth": [0, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0],
    "probabilities": [
        [0.982383813427123, 0.01761618657287693],
        [0.9941112531489393, 0.005888746851060654],
        [0.9100527962881709, 0.08994720371182911],
        [0.9149319804717654, 0.08506801952823459],
        [0.8485944348238991, 0.15140556517610096],
        [0.6441671649806292, 0.3558328350193708],
        [0.7812261061450528, 0.21877389385494722],
        [0.8270975128353966, 0.17290248716460338],
        [0.09663249618704163, 0.9033675038129585],
        [0.5428097538885276, 0.4571902461114725],
        [0.9656561541008342, 0.0343438458991659],
        [0.5982578057024407, 0.4017421942975594],
        [0.7135076236042147, 0.28649237639578523],
        [0.815165667374684, 0.1848343326253159],
        [0.9866976871125016, 0.013302312887498434],
        [0.1337284643826618, 0.8662715356173382],
        [0.6521117822703213, 0.3478882177296787],
        [0.9742282290532797, 0.025771770946720295],
        [0.994613655998145, 0.005386344001854994],
        [0.976950907130718, 0.023049092869282105],
        [0.8195036690016279, 0.18049633099837217],
        [0.16688642447334978, 0.8331135755266501],
        [0.20433897876795534, 0.7956610212320446],
        [0.9959717970424696, 0.0040282029575303205],
    ],
    "weka": [0.31037823516158536, 0.4457293331754756, 70.61816726612219, 89.49577979483666],
}  # fmt: skip

# glass.arff: 100 cases in training, the next 12 in the test
GLASS = {
    "training": [30, 32, 9, 0, 8, 5, 16],  # cases of each class; Weka adds one to each
    "truth": [1, 1, 0, 1, 0, 0, 0, 1, 2, 1, 1, 1],
    "probabilities": [
        [0.9257325824573127, 0.010072168961562267, 0.06419352588977795, 0.0,
         1.3201666722452993e-09, 0.0, 1.7213711804561658e-06],
        [2.5494850723836803e-26, 0.6790192737191971, 0.0, 0.0,
         0.3209800414653088, 0.0, 6.848154939944975e-07],
        [0.44787065254184516, 0.10568315320483679, 0.4464461486704054, 0.0,
         4.3834067714267937e-08, 0.0, 1.7488448991652894e-09],
        [0.8736146621892188, 0.02761870017861468, 0.0986872017596285, 0.0,
         7.798053021596602e-07, 0.0, 7.865606723579525e-05],
        [0.9298980181281821, 0.0024905938465052215, 0.06761072496136787, 0.0,
         7.829583589540853e-09, 0.0, 6.552343614082369e-07],
        [0.053661470595497744, 0.7829498036027366, 0.16338671491583873, 0.0,
         2.0412350391425784e-08, 0.0, 1.990473576601128e-06],
        [0.9623354848642602, 0.0035166688714919556, 0.03414739775671279, 0.0,
         9.728743539944227e-09, 0.0, 4.3877879148852035e-07],
        [0.890306851040653, 0.10080851500405964, 0.008862482174305946, 0.0,
         2.7235488633580342e-06, 0.0, 1.94282321180849e-05],
        [0.9642994588648847, 0.0028680123323706896, 0.032831733213239095, 0.0,
         5.574975734140845e-09, 0.0, 7.900145297974424e-07],
        [0.008133595836906947, 0.9907270494321316, 2.5328839954040136e-10, 0.0,
         0.0011393535369588234, 0.0, 9.407141650998589e-10],
        [0.8641716828275215, 0.006387027359391112, 0.12944115983585142, 0.0,
         4.285442259149325e-09, 0.0, 1.2569179366371077e-07],
        [0.9597259113002286, 0.027248867779323043, 0.013008118711105842, 0.0,
         1.2773261414905665e-07, 0.0, 1.697447672834633e-05],
    ],
    "weka": [0.1840838342433975, 0.39208365136036333, 90.01879772468207, 128.1954478001613],
}  # fmt: skip

NAMES = ["mean_absolute_error", "root_mean_squared_error", "relative_absolute_error", "root_relative_squared_error"]


def weka_prior(training):
    """Weka's prior: the shares of the classes in training, with one case more of each."""
    counts = np.array(training) + 1
    return counts / counts.sum()


def options(name, prior):
    return {"prior": prior} if name.startswith(("relative", "root_relative")) else {}


@pytest.mark.parametrize("position", range(4), ids=NAMES)
def test_two_classes(position):
    truth, probabilities = np.array(BREAST_CANCER["truth"]), np.array(BREAST_CANCER["probabilities"])
    prior = weka_prior(BREAST_CANCER["training"])
    name, expected = NAMES[position], BREAST_CANCER["weka"][position] / (1 if position < 2 else 100)
    a = howsure.assess(truth, scores=probabilities[:, 1], positive=1)
    for share in (prior, float(prior[1])):
        np.testing.assert_allclose(a.estimate(name, **options(name, share)).value, expected, rtol=RTOL)
    other = howsure.assess(truth, scores=probabilities[:, 0], positive=0)
    np.testing.assert_allclose(other.estimate(name, **options(name, float(prior[0]))).value, expected, rtol=RTOL)


@pytest.mark.parametrize("position", range(4), ids=NAMES)
def test_seven_classes_of_which_some_have_no_case(position):
    truth, probabilities = np.array(GLASS["truth"]), np.array(GLASS["probabilities"])
    name, expected = NAMES[position], GLASS["weka"][position] / (1 if position < 2 else 100)
    a = howsure.assess(truth, scores=probabilities, labels=list(range(7)))
    estimate = a.estimate(name, **options(name, weka_prior(GLASS["training"])))
    np.testing.assert_allclose(estimate.value, expected, rtol=RTOL)
    if position < 2:
        assert estimate.low < estimate.value < estimate.high
    else:  # relative errors of many classes have an interval from ten cases of each on
        assert np.isnan(estimate.low)


@pytest.mark.parametrize("name", NAMES[2:])
def test_without_a_prior_the_shares_of_the_cases_themselves_are_the_prior(name):
    truth, probabilities = np.array(GLASS["truth"]), np.array(GLASS["probabilities"])
    a = howsure.assess(truth, scores=probabilities, labels=list(range(7)))
    own = np.bincount(truth, minlength=7) / len(truth)
    np.testing.assert_allclose(a[name].value, a.estimate(name, prior=own).value, rtol=RTOL)
