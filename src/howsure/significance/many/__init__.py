"""One test of many classifiers: do they differ at all?"""
