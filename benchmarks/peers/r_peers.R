# What R says of the samples: Rscript r_peers.R FOLDER. Every function is called with its defaults.
# pROC's roc() chooses which class has the higher scores, from the medians; "direction <" is told that the positives have.

suppressMessages(library(pROC))
folder <- commandArgs(trailingOnly = TRUE)[1]
plan <- read.csv(file.path(folder, "plan.csv"))

of_cell <- function(index, name, rows) {
  path <- file.path(folder, sprintf("cell-%d.%s", index, name))
  matrix(readBin(path, "double", file.size(path) / 8), nrow = rows)
}
quietly <- function(work) suppressWarnings(suppressMessages(tryCatch(work, error = function(e) NULL)))
area_interval <- function(curve) {
  found <- quietly(as.numeric(ci.auc(curve)))
  if (is.null(found)) c(NA, NA) else found[c(1, 3)]
}
pvalue <- function(test) {
  found <- quietly(test$p.value)
  if (is.null(found)) NA else found
}

for (index in seq_len(nrow(plan)) - 1) {
  n <- plan$n[index + 1]
  truth <- of_cell(index, "truth", n)
  first <- of_cell(index, "first", n)
  second <- of_cell(index, "second", n)
  rows <- t(sapply(seq_len(ncol(truth)), function(i) {
    auto <- quietly(roc(truth[, i], first[, i]))
    fixed <- quietly(roc(truth[, i], first[, i], levels = c(0, 1), direction = "<"))
    other <- quietly(roc(truth[, i], second[, i], levels = c(0, 1), direction = "<"))
    c(area_interval(auto), area_interval(fixed), pvalue(roc.test(fixed, other)))
  }))
  counts <- of_cell(index, "discordant", 2 * ncol(truth))
  counts <- matrix(counts, nrow = 2)
  mcnemar <- apply(counts, 2, function(bc) pvalue(mcnemar.test(matrix(c(10, bc[1], bc[2], 10), 2))))
  colnames(rows) <- c("auto_low", "auto_high", "fixed_low", "fixed_high", "roc_test")
  write.csv(cbind(rows, mcnemar), file.path(folder, sprintf("r-%d.csv", index)), row.names = FALSE)
}
versions <- c(R = as.character(getRversion()), pROC = as.character(packageVersion("pROC")))
write.csv(t(versions), file.path(folder, "versions-r.csv"), row.names = FALSE)
