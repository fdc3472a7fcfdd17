import { remember } from '../../platform/json/remember.js'
import { versionedRef } from '../../platform/json/versioned-ref.js'
import type { PolicyEngine } from './policy-engine.js'

/** How records refer to the version of an engine that answered, and to one of its policies. */
const FORM = /^(engine:[\s\S]+?@[0-9a-f]{32})(?:#([\s\S]+))?$/

// Verdicts are plain data that any code may pass on; the recorder finds here what their refs stand for. The map
// holds one entry for each engine version in this process.
const described = new Map<string, object>()

/** The ref of the engine in its present version. */
export function engineRef(engine: PolicyEngine): string {
  return refOfContent(contentOf(engine))
}

export function enginePolicyRef(engine: string, policy: string): string {
  return `${engine}#${policy}`
}

/** What the ref of an engine in a verdict stands for, and the ref under which it is stored. */
export function engineVersionOf(ref: string): { ref: string; content: object } | undefined {
  const version = FORM.exec(ref)?.[1]
  const content = version === undefined ? undefined : described.get(version)
  return content && { ref: version!, content }
}

/** What the ref stands for in the stored description of the engine: all of it, or the policy that the ref names. */
export async function resolveEngineRef(
  given: string,
  definition: (ref: string) => Promise<unknown>,
): Promise<unknown> {
  const [, ref = given, policy] = FORM.exec(given) ?? []
  const engine = (await definition(ref)) as Record<string, unknown> | undefined
  if (!engine || policy === undefined) return engine
  const texts = engine['policies'] as Record<string, object> | undefined
  // The policies of an endpoint are not known here, only their names.
  return { policy, ...(texts && Object.hasOwn(texts, policy) && texts[policy]), engine_ref: ref }
}

const refOfContent = remember((content: { name: string }) => {
  const ref = versionedRef(`engine:${content.name}`, content)
  described.set(ref, content)
  return ref
})

/** One object for each version: an engine that describes itself returns the same one until it changes. */
function contentOf(engine: PolicyEngine): { name: string } {
  const own = engine.describe?.()
  return own ? joined(engine)(own) : plain(engine)
}

const plain = remember(({ name, timeoutMs }: PolicyEngine) => withTimeout({ name }, timeoutMs))

const joined = remember(({ name, timeoutMs }: PolicyEngine) =>
  remember((own: object) => withTimeout({ name, ...own }, timeoutMs)),
)

function withTimeout<Content extends object>(content: Content, timeoutMs: number | undefined): Content {
  return timeoutMs === undefined ? content : { ...content, timeout_ms: timeoutMs }
}
