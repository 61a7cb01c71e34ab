# Values that R gives for tables and proportions, written to r_values.csv beside this file.
# Run it in this folder: Rscript r_values.R. It needs the packages vcd, psych and caret.

suppressPackageStartupMessages({
  library(vcd)
  library(psych)
  library(caret)
})

# Rows are the truth, columns the prediction.
square <- function(...) {
  cells <- c(...)
  k <- sqrt(length(cells))
  matrix(cells, k, byrow = TRUE, dimnames = list(letters[1:k], letters[1:k]))
}
tables <- list(
  cohen = square(88, 14, 18, 10, 40, 10, 2, 6, 12),
  pathology = square(231, 27, 32, 54),
  ordinal = square(52, 11, 3, 0, 9, 61, 17, 4, 2, 14, 48, 12, 1, 3, 10, 33),
  skewed = square(480, 7, 1, 12, 9, 2, 3, 4, 6)
)

found <- data.frame()
keep <- function(source, table, quantity, of, value) {
  row <- data.frame(source, table, quantity, of, value = sprintf("%.15g", as.numeric(value)))
  found <<- rbind(found, row)
}

# The delta method with the multinomial covariance; derivatives by central differences.
standard_error <- function(measure, counts) {
  n <- sum(counts)
  slope <- counts
  for (cell in seq_along(counts)) {
    step <- 1e-4
    up <- down <- counts
    up[cell] <- up[cell] + step
    down[cell] <- down[cell] - step
    slope[cell] <- (measure(up) - measure(down)) / (2 * step)
  }
  sqrt(sum(slope^2 * counts) - sum(slope * counts)^2 / n)
}
macro_precision <- function(m) mean(diag(m) / colSums(m))
macro_recall <- function(m) mean(diag(m) / rowSums(m))
macro_f1 <- function(m) mean(2 * diag(m) / (rowSums(m) + colSums(m)))
mcc <- function(m) {
  n <- sum(m)
  (n * sum(diag(m)) - sum(rowSums(m) * colSums(m))) /
    sqrt((n^2 - sum(rowSums(m)^2)) * (n^2 - sum(colSums(m)^2)))
}

for (name in names(tables)) {
  table <- tables[[name]]
  for (weights in c("Equal-Spacing", "Fleiss-Cohen")) {
    kappa <- Kappa(table, weights = weights)
    kind <- c("Equal-Spacing" = "linear", "Fleiss-Cohen" = "quadratic")[[weights]]
    keep("vcd", name, "weighted_kappa", kind, kappa$Weighted["value"])
    keep("vcd", name, "weighted_kappa_se", kind, kappa$Weighted["ASE"])
  }
  keep("vcd", name, "kappa", "", kappa$Unweighted["value"])
  keep("vcd", name, "kappa_se", "", kappa$Unweighted["ASE"])

  kappa <- cohen.kappa(table)
  keep("psych", name, "kappa", "", kappa$kappa)
  keep("psych", name, "kappa_se", "", sqrt(kappa$var.kappa))
  keep("psych", name, "weighted_kappa", "quadratic", kappa$weighted.kappa)
  keep("psych", name, "weighted_kappa_se", "quadratic", sqrt(kappa$var.weighted))

  matrix <- confusionMatrix(as.table(t(table))) # caret has the predictions in rows
  for (quantity in c("Accuracy", "Kappa", "AccuracyLower", "AccuracyUpper", "AccuracyNull")) {
    keep("caret", name, quantity, "", matrix$overall[quantity])
  }
  rates <- matrix$byClass
  if (!is.matrix(rates)) rates <- t(rates) # of two classes it gives the first only
  for (row in seq_len(nrow(rates))) {
    for (quantity in colnames(rates)) keep("caret", name, quantity, letters[row], rates[row, quantity])
  }

  measures <- list(macro_precision = macro_precision, macro_recall = macro_recall, macro_f1 = macro_f1, mcc = mcc)
  for (quantity in names(measures)) {
    keep("base", name, quantity, "", measures[[quantity]](table))
    keep("base", name, paste0(quantity, "_se"), "", standard_error(measures[[quantity]], table))
  }
}

for (n in c(1, 12, 60, 344, 5000)) {
  for (x in unique(c(0, 1, n %/% 3, n - 1, n))) {
    for (level in c(0.8, 0.95, 0.99)) {
      where <- paste(x, n, sep = "/")
      wilson <- suppressWarnings(prop.test(x, n, conf.level = level, correct = FALSE))$conf.int
      exact <- binom.test(x, n, conf.level = level)$conf.int
      keep("prop.test", where, "wilson_low", level, wilson[1])
      keep("prop.test", where, "wilson_high", level, wilson[2])
      keep("binom.test", where, "clopper_pearson_low", level, exact[1])
      keep("binom.test", where, "clopper_pearson_high", level, exact[2])
    }
  }
}

out <- file("r_values.csv", "w")
versions <- sapply(c("vcd", "psych", "caret"), function(name) paste(name, packageVersion(name)))
writeLines(c(
  "# do not edit: made by r_values.R",
  paste0("# ", R.version.string, "; ", paste(versions, collapse = ", "))
), out)
write.csv(found, out, row.names = FALSE, quote = FALSE)
close(out)
