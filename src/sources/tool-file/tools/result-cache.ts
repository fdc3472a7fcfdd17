import { toolOutput, type ToolOutput } from '../../../catalog/tool-output.js'
import { canonicalJson } from '../../../platform/json/canonical-json.js'

/** Results of retrieval tools that are used again. */
export interface ResultCache {
  find(key: string): ToolOutput | undefined
  keep(key: string, output: ToolOutput, maxAgeMs: number): void
}

const MAX_CHARS = 16 * 1024 * 1024
/** Longer results would drive many others out. */
const MAX_RESULT_CHARS = 512 * 1024

interface Kept {
  readonly output: ToolOutput
  readonly chars: number
  readonly keptAt: number
  readonly until: number
}

/** In memory, the oldest results first out. */
export function createResultCache(now: () => number): ResultCache {
  const kept = new Map<string, Kept>()
  let chars = 0

  function forget(key: string): void {
    chars -= kept.get(key)?.chars ?? 0
    kept.delete(key)
  }

  return {
    find(key) {
      const found = kept.get(key)
      if (!found) return undefined
      if (found.until <= now()) return void forget(key)
      const { output, keptAt } = found
      const native = { source: 'aml', ...output.native, cached: true, age_ms: now() - keptAt }
      return toolOutput({ ...output, native })
    },
    keep(key, output, maxAgeMs) {
      // A stream can be read once, and a failure may be over the next time.
      if (output.stream || output.artifacts || output.failure !== undefined) return
      const size = key.length + sizeOf(output)
      if (size > MAX_RESULT_CHARS) return
      forget(key)
      kept.set(key, { output, chars: size, keptAt: now(), until: now() + maxAgeMs })
      chars += size
      for (const [oldest] of kept) {
        if (chars <= MAX_CHARS) break
        forget(oldest)
      }
    },
  }
}

function sizeOf(output: ToolOutput): number {
  try {
    return JSON.stringify(output).length
  } catch {
    // Nested too deeply. Whether the call can return it is decided elsewhere.
    return Number.POSITIVE_INFINITY
  }
}

/** Equal for equal calls of any caller: the folder has one credential for all callers. */
export function cacheKey(tool: { toolId: string; digest: string }, tenant: string, input: unknown): string {
  return canonicalJson([tenant, tool.toolId, tool.digest, input])
}
