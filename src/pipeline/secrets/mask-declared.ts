import { sameJson } from '../../platform/json/same-json.js'
import { countMasks } from '../../redaction/count-masks.js'
import { collectSecrets, compileMask } from '../../redaction/mask-fields.js'
import type { CallRun } from '../call-run.js'
import { countRedactions } from './clean.js'
import { withSecrets } from './learn-secrets.js'

/** Masks the tool's sensitive output fields in JSON beside the output. The masked values are redacted elsewhere too. */
export function maskDeclared<Json>(json: Json, run: CallRun): Json {
  const { sensitiveFields } = run.tool!.draft.output
  // A text has no fields.
  if (sensitiveFields === undefined || typeof json === 'string') return json
  const masked = compileMask(sensitiveFields)!(json) as Json
  if (sameJson(masked, json)) return json
  withSecrets(run, collectSecrets(json, sensitiveFields))
  countRedactions(run, { declared_field: Math.max(1, countMasks(masked) - countMasks(json)) })
  return masked
}
