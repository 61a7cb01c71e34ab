# Values that R's survey package gives for clusters.csv, written to cluster_values.csv beside this file, and those of
# inspect_ai, which cluster_values.py adds. Run it in this folder: Rscript cluster_values.R. The area under the curve is
# by auc.cluster.R, which Michael and Tian published with "The population and personalized AUCs" (commit f57e3de).

suppressPackageStartupMessages(library(survey))

cases <- read.csv("clusters.csv")
cases$right <- as.numeric(cases$truth == cases$predicted)
cases$hit <- cases$truth * cases$predicted
found <- data.frame()
keep <- function(measure, weight, value, error) {
  row <- data.frame(source = "survey", measure, weight, value = sprintf("%.17g", value), error = sprintf("%.17g", error))
  found <<- rbind(found, row)
}
for (weight in c("none", "weight")) {
  given <- if (weight == "none") rep(1, nrow(cases)) else cases[[weight]]
  design <- svydesign(ids = ~patient, weights = given, data = cases)
  mean <- svymean(~right, design)
  keep("accuracy", weight, coef(mean), SE(mean))
  for (measure in c("recall", "precision")) {
    ratio <- svyratio(~hit, if (measure == "recall") ~truth else ~predicted, design)
    keep(measure, weight, coef(ratio), SE(ratio))
  }
}
source("auc.cluster.R")
by_patient <- split(cases, cases$patient)
of_class <- function(truth) lapply(by_patient, function(these) these$score[these$truth == truth])
area <- auc.obu(of_class(0), of_class(1))
keep("auc", "none", area[["theta.hat"]], sqrt(area[["var.hat"]]))
found$source[found$measure == "auc"] <- "auc.cluster.R"

about <- sprintf("# do not edit: made by cluster_values.R (%s; survey %s) and cluster_values.py",
  R.version.string, packageVersion("survey"))
writeLines(about, "cluster_values.csv")
suppressWarnings(write.table(found, "cluster_values.csv", append = TRUE, sep = ",", row.names = FALSE, quote = FALSE))
