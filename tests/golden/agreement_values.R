# Values that R's packages give for agreement_ratings.json, written to agreement_r_values.csv beside this file. Run it in this
# folder: Rscript agreement_values.R. psych, vcd and jsonlite are Debian's, irr is CRAN's. irrCAC is by Gwet himself and was run
# in two versions: 1.4 (from the repository of its author), whose functions of raw ratings (tool "irrCAC raw") round coefficients
# and standard errors to five digits and whose functions of tables of two raters ("irrCAC table") do not; and 1.0 (CRAN) for
# its functions of counts ("irrCAC dist"), which do not round either and in 1.4 need a newer dplyr than Debian's. A run keeps
# the rows of tools that it does not have. The column scheme is that of agreement_values.py, and disagreement= where
# weights are weights of disagreement.
#
# Left out because they are wrong: the standard errors of psych's weighted kappa (psych 2.2.9 multiplies weights by the wrong
# margin); alpha by irr 0.84.1 where more than two raters rated everything (it divides pairs by 1, not by raters - 1); the
# standard errors of alpha by irrCAC's functions of counts (half of what chance agreement adds is missing).

suppressPackageStartupMessages({
  library(jsonlite)
  library(psych)
  library(vcd)
})
has <- function(package) requireNamespace(package, quietly = TRUE)
sets <- fromJSON("agreement_ratings.json", simplifyVector = FALSE)$sets
found <- list()
keep <- function(tool, set, scheme, coefficient, statistic, value) {
  package <- strsplit(tool, " ")[[1]][1]
  row <- data.frame(dataset = set$name, scheme, coefficient, statistic, value = sprintf("%.17g", as.numeric(value)),
    tool, version = as.character(packageVersion(package)))
  found[[length(found) + 1]] <<- row
}
both <- function(tool, set, scheme, coefficient, value, error) {
  keep(tool, set, scheme, coefficient, "value", value)
  keep(tool, set, scheme, coefficient, "standard_error", error)
}
scores_of <- function(set) if (all(sapply(set$labels, is.numeric))) unlist(set$labels) else seq_along(set$labels)
matrix_of <- function(set) {
  scores <- scores_of(set)
  number <- function(label) if (is.null(label)) NA else scores[match(label, unlist(set$labels))]
  rows <- lapply(set$ratings, function(row) {
    if (set$form == "matrix") sapply(row, number) else rep(scores, unlist(row))
  })
  if (set$form != "table") return(do.call(rbind, rows))
  cells <- do.call(rbind, lapply(set$ratings, unlist))
  at <- which(cells > 0, arr.ind = TRUE)
  at <- at[order(at[, 1], at[, 2]), , drop = FALSE]
  at <- at[rep(seq_len(nrow(at)), cells[at]), ]
  cbind(scores[at[, 1]], scores[at[, 2]])
}
table_of <- function(set, ratings) {
  if (set$form == "counts" || ncol(ratings) != 2 || anyNA(ratings)) return(NULL)
  scores <- scores_of(set)
  unclass(table(factor(ratings[, 1], scores), factor(ratings[, 2], scores)))
}
weights_of <- function(set) {
  if (!("ordinal" %in% unlist(set$levels))) return("identity")
  c("identity", "linear", "quadratic", "ordinal", if (!(0 %in% scores_of(set))) "ratio")
}

two_raters <- function(set, cells) {
  q <- nrow(cells)
  dimnames(cells) <- NULL
  ordered <- "ordinal" %in% unlist(set$levels)
  apart <- abs(outer(1:q, 1:q, "-"))
  weights <- list(identity = diag(q), linear = 1 - apart / (q - 1), quadratic = 1 - apart^2 / (q - 1)^2)
  for (name in if (ordered) names(weights) else "identity") {
    # psych gives the weighted kappa beside the plain one; its weights may be of agreement
    of <- suppressWarnings(cohen.kappa(cells, w = if (name == "identity") NULL else weights[[name]]))
    weighted <- name != "identity"
    keep("psych", set, paste0("weights=", name), "cohen_kappa", "value", if (weighted) of$weighted.kappa else of$kappa)
    if (!weighted) keep("psych", set, paste0("weights=", name), "cohen_kappa", "standard_error", sqrt(of$var.kappa))
    spaced <- if (name == "quadratic") "Fleiss-Cohen" else "Equal-Spacing"
    of <- Kappa(cells, weights = spaced)
    of <- if (weighted) of$Weighted else of$Unweighted
    both("vcd", set, paste0("weights=", name), "cohen_kappa", of[["value"]], of[["ASE"]])
  }
  if (set$name == "cohen_1960") {
    for (by in list(rbind(c(0, 1, 3), c(1, 0, 6), c(3, 6, 0)), rbind(c(0, 1, 4), c(1, 0, 6), c(2, 2, 0)))) {
      scheme <- paste0("disagreement=", toJSON(by))
      of <- cohen.kappa(cells, w = by)
      keep("psych", set, scheme, "cohen_kappa", "value", of$weighted.kappa)
    }
  }
}

by_irr <- function(set, ratings) {
  for (level in if (anyNA(ratings) || ncol(ratings) == 2) unlist(set$levels)) {
    keep("irr", set, paste0("level=", level), "krippendorff_alpha", "value", irr::kripp.alpha(t(ratings), level)$value)
  }
  if (anyNA(ratings)) return() # it would drop every item with a gap
  keep("irr", set, "weights=identity", "fleiss_kappa", "value", irr::kappam.fleiss(ratings)$value)
  if (set$form == "counts") {
    detail <- irr::kappam.fleiss(ratings, detail = TRUE)$detail
    for (k in seq_len(nrow(detail))) {
      keep("irr", set, "weights=identity", paste0("fleiss_kappa of category ", k, " (three digits)"), "value", detail[k, 1])
    }
  } else {
    keep("irr", set, "weights=identity", "conger_kappa", "value", irr::kappam.fleiss(ratings, exact = TRUE)$value)
    keep("irr", set, "weights=identity", "light_kappa", "value", irr::kappam.light(ratings)$value)
  }
}

by_irrcac <- function(set, ratings, cells) {
  of <- asNamespace("irrCAC")
  scores <- scores_of(set)
  for (name in weights_of(set)) {
    scheme <- paste0("weights=", name)
    weights <- of[[paste0(name, ".weights")]](scores)
    ac <- if (name == "identity") "gwet_ac1" else "gwet_ac2"
    if (packageVersion("irrCAC") < "1.4") {
      counts <- t(apply(ratings, 1, function(row) table(factor(row, scores))))
      functions <- list(percent_agreement = of$pa.coeff.dist, fleiss_kappa = of$fleiss.kappa.dist,
        brennan_prediger = of$bp.coeff.dist, krippendorff_alpha = of$krippen.alpha.dist, of$gwet.ac1.dist)
      names(functions)[5] <- ac
      for (coefficient in names(functions)) {
        est <- functions[[coefficient]](as.data.frame(counts), weights = weights)
        keep("irrCAC dist", set, scheme, coefficient, "value", est$coeff)
        if (coefficient != "krippendorff_alpha") keep("irrCAC dist", set, scheme, coefficient, "standard_error", est$stderr)
      }
      next
    }
    functions <- list(percent_agreement = of$pa.coeff.raw, fleiss_kappa = of$fleiss.kappa.raw,
      conger_kappa = of$conger.kappa.raw, brennan_prediger = of$bp.coeff.raw, krippendorff_alpha = of$krippen.alpha.raw,
      of$gwet.ac1.raw)
    names(functions)[6] <- ac
    if (set$form == "counts") functions$conger_kappa <- NULL # which asks who rated what
    for (coefficient in names(functions)) {
      est <- functions[[coefficient]](as.data.frame(ratings), weights = weights, categ.labels = scores)$est
      both("irrCAC raw", set, scheme, coefficient, est$coeff.val, est$coeff.se)
    }
    if (is.null(cells)) next
    functions <- list(percent_agreement = of$pa2.table, cohen_kappa = of$kappa2.table, scott_pi = of$scott2.table,
      brennan_prediger = of$bp2.table, krippendorff_alpha = of$krippen2.table, of$gwet.ac1.table)
    names(functions)[6] <- ac
    for (coefficient in names(functions)) {
      est <- functions[[coefficient]](cells, weights = weights)
      both("irrCAC table", set, scheme, coefficient, est$coeff.val, est$coeff.se)
    }
  }
}

for (set in sets) {
  ratings <- matrix_of(set)
  cells <- table_of(set, ratings)
  if (!is.null(cells)) two_raters(set, cells)
  if (has("irr")) by_irr(set, ratings)
  if (has("irrCAC")) suppressWarnings(by_irrcac(set, ratings, cells))
}
found <- do.call(rbind, found)
file <- "agreement_r_values.csv"
if (file.exists(file)) {
  there <- read.csv(file, comment.char = "#", colClasses = "character")
  found <- rbind(found, there[!(there$tool %in% found$tool), ])
}
found <- found[order(match(found$dataset, sapply(sets, function(set) set$name)), found$tool, method = "radix"), ]
found$scheme <- ifelse(grepl(",", found$scheme), paste0("\"", found$scheme, "\""), found$scheme)
writeLines(sprintf("# do not edit: made by agreement_values.R (%s)", R.version.string), file)
suppressWarnings(write.table(found, file, append = TRUE, sep = ",", row.names = FALSE, quote = FALSE))
