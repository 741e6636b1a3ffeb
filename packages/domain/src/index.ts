export * from './asset.ts';
export * from './asset-score.ts';
export * from './batch-estimate.ts';
export * from './project.ts';
export { reportName } from './report-name.ts';
export { type SearchIds, searchIds } from './search-ids.ts';
export * from './scales.ts';
export * from './threat.ts';
export * from './vulnerability.ts';
export * from './actor.ts';
export * from './changes.ts';
export * from './count.ts';
export { formatDay } from './day.ts';
export * from './lazily.ts';
export * from './result-sentence.ts';
export { KnownVectors } from './cvss/known-vectors.ts';
export * from './cvss/vector.ts';
export * from './cvss/draft.ts';
export { carryCvssMetrics } from './cvss/carry.ts';
export * from './cvss/explanation.ts';
export { cvssVersions, type CvssVersion } from './cvss/metrics.ts';
export * from './cvss/severity.ts';
export {
  cwssFactors,
  cwssGroups,
  cwssOrder,
  cwssValueOf,
  isCwssFactor,
  quantified,
  weightUnit,
  type CwssFactor,
  type CwssFactorRules,
  type CwssGroup,
} from './cwss/factors.ts';
export {
  suggestFactors,
  type FindingFacts,
  type FactorSource,
  type SuggestedFactors,
} from './cwss/suggested-factors.ts';
export {
  impactLayers,
  technicalImpacts,
  technicalImpactOf,
  type ImpactLayer,
  type TechnicalImpact,
} from './cwraf/impacts.ts';
export { ranksOf, scorecardComparison, type ScorecardMove } from './cwraf/compare-scorecards.ts';
export type { VignetteProblem } from './cwraf/file-fields.ts';
export {
  readVignette,
  type ReadVignette,
  readVignetteText,
  type Vignette,
  vignetteText,
} from './cwraf/read-vignette.ts';
export { starterVignettes } from './cwraf/starter-vignettes.ts';
export {
  winningImpact,
  type ScorecardCell,
  type WeaknessImpacts,
  type WinningImpact,
} from './cwraf/technical-impact.ts';
export {
  calculateCwss,
  contributionNote,
  cwssFormulaVersion,
  rateFacts,
  type CwssCalculation,
  type CwssFactorOverride,
  type CwssFacts,
  type CwssInputs,
  type RatedWeakness,
  type WeaknessFacts,
} from './cwss/calculate.ts';
export { completenessOf, explainFactors, type ExplainedFactor } from './cwss/explain.ts';
export {
  cweKinds,
  catalogueFacts,
  type CatalogueEntry,
  type CatalogueFacts,
  type CweKind,
} from './cwe/catalogue-facts.ts';
export { cweNumber } from './cwe/cwe-number.ts';
export { cwssScoreChanges, type StoredCwssScore } from './cwss/score-changes.ts';
export { byInfluence, cwssSensitivity, type AlternativeScore } from './cwss/sensitivity.ts';
export { cwssProduct, scoreCwss } from './cwss/score.ts';
export {
  cwssVectorOf,
  defaultCwss,
  incompleteFactors,
  noSuchCwssValue,
  parseCwssVector,
  weightText,
  type CwssChoice,
  type CwssChoices,
  type CwssVector,
} from './cwss/vector.ts';
export type { CvssGroup, CvssMetricLabels, CvssValueLabels, CvssWeight } from './cvss/labels.ts';
export type { ConstructContext, AnonymousLabel } from './stix/stix1/construct-head.ts';
export type { XmlElement } from './stix/stix1/construct.ts';
export {
  definitionOf,
  isHeaderHandling,
  isRelationship,
  isStixPackage,
  mayMarkContent,
  scopeInside,
  type ConstructKind,
  type Definition,
  type Scope,
  type StartTag,
} from './stix/stix1/definition.ts';
export { decimalNumber, writtenNumber } from './decimal.ts';
export { mostCwes } from './stix/cve.ts';
export { boundData } from './stix/bound-data.ts';
export { boundedType, cleanText, quotedText, shortened, unstorableReason } from './stix/clean-text.ts';
export { chooseCvss, type ChosenCvss } from './stix/cvss-claim.ts';
export { jsonBytes } from './stix/json-bytes.ts';
export {
  controlMessage,
  endsTooEarly,
  expectation,
  findJsonFault,
  type JsonFault,
  positionIn,
} from './stix/json-fault.ts';
export { isObject, isTrueAt, textAt, type JsonObject } from './stix/json-value.ts';
export { countValues } from './stix/json-values.ts';
export { constructTlp, headerMarking, type MarkedPart } from './stix/stix1/construct-marking.ts';
export { isMappedKind, isPackageIntent, mapConstruct } from './stix/stix1/map-construct.ts';
export { definedTlp, predefinedTlp, strictestTlp } from './stix/tlp.ts';
export { isStixObject, mapObject } from './stix/stix2/map-object.ts';
export * from './stix/record.ts';
export {
  isManifestEntry,
  isTaxiiContent,
  jsonRefusal,
  manifestRefusal,
  xmlRoot,
  type Refusal,
} from './stix/sniff/report-root.ts';
export {
  addObjectVersion,
  addVersion,
  holdsObjects,
  isEnvelope,
  joinVersions,
  jsonVersion,
  noListMessage,
  objectsVersion,
  statedVersion,
  type VersionFacts,
} from './stix/version/json-version.ts';
export { listVersions } from './stix/version/list-versions.ts';
export { deepestJson, JsonVersionScan, largestJson } from './stix/version/json-version-scan.ts';
export { deepestXml, XmlVersionScan } from './stix/version/xml-version-scan.ts';
export type { Sniffed } from './stix/sniff/sniff-json.ts';
export { encodingOf, type Encoding } from './stix/sniff/encoding.ts';
export { sniffReport } from './stix/sniff/sniff-report.ts';
export { doctypeRefusal } from './stix/sniff/sniff-xml.ts';
export { tlpStrictness } from './stix/tlp.ts';
export { unmappedReason } from './stix/unmapped-reason.ts';
export { warningMessages, type Warn, type WarningCode } from './stix/warning.ts';
export { guardFormula, joinNames, splitNames, unguardFormula } from './csv/cell-text.ts';
export { findLineCycles, type LineCycle, mostCycleNodes } from './relations/line-cycles.ts';
export { rejectedLines } from './relations/rejected-lines.ts';
export type { NumberedRelations } from './relations/numbered-relations.ts';
export {
  assetMatcher,
  type AssetTexts,
  recordMatcher,
  type RecordTexts,
  reasonKinds,
  type SuggestionReason,
  suggestionReasons,
} from './suggestion/reasons.ts';
export {
  type TermsOfAsset,
  termsOfAsset,
  type TermsOfRecord,
  termsOfRecord,
} from './suggestion/search-terms.ts';
export {
  type ChangeType,
  type CountChange,
  changeOf,
  estimatedImpact,
  type LedgerTotals,
  overviewCounts,
  type OverviewCounts,
} from './overview/counts.ts';
export { addDays, daysBetween, firstNewDay, mondayOf, newDays } from './overview/days.ts';
export { explainNumber, goodDirections } from './overview/explanation/explanation.ts';
export type { NumberExplanation } from './overview/explanation/inputs.ts';
export {
  exposureLevel,
  type ExposureLevel,
  type ExposurePoint,
  exposureTrend,
  monthEnds,
  openSeverities,
} from './overview/exposure.ts';
export { type FunnelStep, vulnerabilityFunnel } from './overview/funnel.ts';
export {
  type EarlierCounts,
  type HeadlineSentence,
  headlineText,
  overviewHeadline,
} from './overview/headline.ts';
export {
  actionableInsights,
  criticalAlerts,
  type OverviewAlert,
  type OverviewInsight,
  type OverviewLink,
  overviewLinks,
} from './overview/insights.ts';
export {
  type OverallRisk,
  overallRisk,
  overallRiskBands,
  overallRiskFormulas,
  overallRiskWeights,
  overviewFormulaVersion,
  remediationRate,
  type RiskCount,
  riskCounts,
  type RiskWeights,
} from './overview/overall-risk.ts';
export { riskCategories, type RiskCategory } from './overview/risk-categories.ts';
export { type CountFlow, riskChange, type RiskChange } from './overview/risk-change.ts';
export { roundToSum } from './overview/round-to-sum.ts';
export {
  type SecurityStatus,
  securityStatuses,
  securityStatusLimits,
  securityStatusOf,
} from './overview/security-status.ts';
export { type PresentedCause, presentCauses } from './overview/change-causes.ts';
export { type Finding, priorities, type RatedAsset, wayOutOfRisk } from './overview/priorities.ts';
export { exposureChange, exposureMean, type ExposureTotal } from './overview/exposure-change.ts';
export { type LedgerFlow, type Period, riskFlows, severityFlows } from './overview/risk-flows.ts';
export {
  type AlertDraft,
  type AlertFinding,
  type AlertingRule,
  draftAlerts,
  vulnerabilityTitle,
} from './alerts/alert-texts.ts';
export {
  disabledAfterDays,
  unsubscribedStatus,
  isDelivered,
  mailDueAt,
  nextAttemptAfter,
} from './alerts/delivery.ts';
export { isSameName, isVisible, lineExpressions, normalized, plainLine } from './unicode.ts';
