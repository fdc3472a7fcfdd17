/** Where two JSON values differ, as paths such as `/content/0/text`. */
export function differencesOf(one: unknown, other: unknown, path = ''): string[] {
  if (Object.is(one, other)) return []
  if (!isContainer(one) || !isContainer(other) || Array.isArray(one) !== Array.isArray(other)) return [path]
  const keys = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...keys].flatMap((key) =>
    Object.hasOwn(one, key) && Object.hasOwn(other, key)
      ? differencesOf(Reflect.get(one, key), Reflect.get(other, key), `${path}/${key}`)
      : [`${path}/${key}`],
  )
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null
