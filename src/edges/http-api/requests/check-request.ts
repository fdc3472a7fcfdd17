import type { JsonSchema } from '../../../contract/json-schema.js'
import { loadSchemaCompiler, type ValidateNow } from '../../../platform/validation/compile-schema.js'
import { remember } from '../../../platform/json/remember.js'
import { badRequest, type ProblemPart } from '../problem.js'
import type { AnyRoute } from '../route.js'

const checks = remember<AnyRoute, Promise<RouteChecks>>(compileChecks)

interface RouteChecks {
  readonly query: ValidateNow | undefined
  readonly body: ValidateNow | undefined
}

/** Checks the query and the body against the schemas of the route. Throws a `Problem` that names every fault. */
export async function checkRequest(
  route: AnyRoute,
  { query, body }: { query: Readonly<Record<string, unknown>>; body: unknown },
): Promise<void> {
  const { query: checkQuery, body: checkBody } = await checks(route)
  const faults = [...faultsOf(checkQuery, query, 'query'), ...faultsOf(checkBody, body, 'body')]
  if (faults.length === 0) return
  const [{ path, message }] = faults as [ProblemPart]
  throw badRequest(`${path} ${message}.`, faults)
}

async function compileChecks(route: AnyRoute): Promise<RouteChecks> {
  const compiler = await loadSchemaCompiler()
  return {
    query: route.query && compiler.compile(querySchema(route)),
    body: route.body && compiler.compile(route.body),
  }
}

function querySchema({ query = {}, requiredQuery = [] }: AnyRoute): JsonSchema {
  return { type: 'object', properties: query, required: [...requiredQuery] } as JsonSchema
}

function faultsOf(check: ValidateNow | undefined, value: unknown, where: string): ProblemPart[] {
  const checked = check?.(value)
  if (!checked || checked.ok) return []
  return checked.issues.map(({ path, message }) => ({ path: `${where}${path}`, message }))
}
