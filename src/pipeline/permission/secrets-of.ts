import { collectSecrets } from '../../redaction/mask-fields.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'

/** All sensitive values in any version of the input, and the secrets known already. Longest first. */
export function secretsOf(
  inputs: readonly unknown[],
  known: readonly string[],
  { draft }: CatalogTool,
): readonly string[] {
  const found = inputs.flatMap((input) => collectSecrets(input, draft.input.sensitiveFields))
  return [...new Set([...known, ...found])].sort((a, b) => b.length - a.length)
}
