"""After a test of many classifiers: which of them differ?"""
