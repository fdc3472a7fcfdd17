// What a document describes, read in the plainest way. It knows nothing of the compiler, so that both can be compared.

const METHODS = /^(?:get|put|post|delete|options|head|patch|trace|query)$/
const SET_ELSEWHERE = /^(?:accept|authorization|content-length|content-type|cookie|host|transfer-encoding)$/i
const PLAIN_JSON = /^(?:application\/json|text\/json|application\/\*|application\/\*\+json|\*\/\*)(?:;|$)/

/** The operations of a document that refers only to itself. */
export function describedOperations(document) {
  const follow = (value) => {
    let found = value
    for (let steps = 0; steps < 50 && typeof found?.$ref === 'string'; steps++)
      found = at(document, found.$ref)
    return found
  }
  return Object.entries(document.paths ?? {}).flatMap(([path, given]) => {
    const item = follow(given)
    if (path.startsWith('x-') || typeof item !== 'object' || item === null) return []
    return Object.entries(item)
      .filter(
        ([method, operation]) => METHODS.test(method) && typeof operation === 'object' && operation !== null,
      )
      .map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        ...parametersOf([...(item.parameters ?? []), ...(operation.parameters ?? [])].map(follow), path),
        mediaTypes: mediaTypesOf(follow(operation.requestBody)?.content ?? {}),
        security: operation.security ?? document.security ?? [],
      }))
  })
}

function at(document, reference) {
  if (!reference.startsWith('#/')) return undefined
  return decodeURIComponent(reference.slice(2))
    .split('/')
    .reduce((value, name) => value?.[name.replaceAll('~1', '/').replaceAll('~0', '~')], document)
}

function parametersOf(given, path) {
  const all = new Map()
  for (const parameter of given) if (parameter?.name) all.set(`${parameter.in} ${parameter.name}`, parameter)
  const list = [...all.values()]
  const parameters = list.filter(({ name, in: position }) => {
    if (position === 'body' || position === 'formData') return false
    if (path.includes(`{${name}}`)) return position === 'path' || !path.split('?')[1]?.includes(`{${name}}`)
    if (position === 'path') return false
    return position !== 'header' || !SET_ELSEWHERE.test(name)
  })
  return {
    parameters: parameters.map(({ name, in: position, required }) => ({
      name,
      in: position,
      isRequired: position === 'path' || required === true,
    })),
    hasSwaggerBody: list.some(({ in: position }) => position === 'body' || position === 'formData'),
  }
}

/** One name of plain JSON stands for all of them. */
function mediaTypesOf(content) {
  const types = Object.keys(content)
  return types.includes('application/json')
    ? types.filter((type) => type === 'application/json' || !PLAIN_JSON.test(type))
    : types
}

/** What a compiled operation lacks of what the document describes, in words. */
export function lacking(described, compiled) {
  if (!compiled) return ['the operation']
  const { properties = {}, required = [] } = compiled.input
  const ofParameters = described.parameters.flatMap(({ name, in: position, isRequired }) => {
    const found = compiled.parameters.find((each) => each.name === name && each.in === position)
    if (!found || !Object.hasOwn(properties, found.field)) return [`the parameter ${name} in ${position}`]
    return isRequired && !required.includes(found.field) ? [`that ${name} is required`] : []
  })
  const offered = compiled.body?.contents.map(({ mediaType }) => mediaType) ?? []
  const isEmpty = compiled.body === undefined
  return [
    ...ofParameters,
    ...(described.hasSwaggerBody && isEmpty ? ['the body'] : []),
    ...described.mediaTypes.filter((type) => !isEmpty && !offered.includes(type)),
    ...described.security
      .flatMap((alternative) => Object.keys(alternative))
      .filter((name) => !compiled.security.some((alternative) => Object.hasOwn(alternative, name)))
      .map((name) => `the security scheme ${name}`),
  ]
}
