export function commandJudge(
  rules: Readonly<Record<string, readonly string[]>>,
  options?: { cwd?: string; mode?: string },
): (command: string) => string
