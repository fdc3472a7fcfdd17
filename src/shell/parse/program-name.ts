// System folders of programs. A path elsewhere may hold anything under any name.
const systemFolders = ['/bin/', '/usr/bin/', '/usr/local/bin/', '/opt/homebrew/bin/', '/sbin/', '/usr/sbin/']

/** The program that a command's first word means, or undefined if it is a file outside the system folders. */
export function programName(word: string): string | undefined {
  if (!word.includes('/')) return word
  const folder = systemFolders.find((start) => word.startsWith(start))
  const name = folder === undefined ? '' : word.slice(folder.length)
  return name === '' || name.includes('/') ? undefined : name
}
