const english = new Intl.NumberFormat('en-US')

/** 481204 as "481,204". */
export function sayNumber(value: number): string {
  return english.format(value)
}

/** "1 line", "2 lines". */
export function sayCount(value: number, one: string, many = `${one}s`): string {
  return `${sayNumber(value)} ${value === 1 ? one : many}`
}
