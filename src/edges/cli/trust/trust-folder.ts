import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { shortPath } from '../../../platform/config/describe-problem.js'
import { distrustFolder, isFolderTrusted, trustFolder } from '../../../platform/trust/folder-trust.js'
import { askYesOrNo } from '../terminal/ask-yes-or-no.js'
import type { ExitCode } from '../program/command.js'
import type { Terminal } from '../terminal/terminal.js'
import { usageProblem } from '../program/usage-problem.js'

/** Trusts a folder: commands that obey files there, as mvn and terraform do, then count as what they otherwise are. */
export async function giveFolderTrust(
  given: string,
  { isRevoked, terminal }: { isRevoked: boolean; terminal: Terminal },
): Promise<ExitCode> {
  const folder = folderAt(given)
  if (isRevoked) {
    const wasTrusted = distrustFolder(folder)
    terminal.say(wasTrusted ? 'The folder is no longer trusted.' : 'This folder was not trusted by name.')
    return 0
  }
  if (isFolderTrusted(folder)) {
    terminal.say('The folder is trusted already.')
    return 0
  }
  terminal.explain(
    `Files in ${shortPath(folder)} and below may then name programs that commands such as npm, mvn or terraform run.`,
  )
  if (!terminal.isInteractive)
    throw usageProblem('Only a person at a terminal can give trust; nothing was changed.')
  if (!(await askYesOrNo('Trust what lies in this folder, also what is put there later?', terminal))) {
    terminal.say('Nothing was changed.')
    return 1
  }
  trustFolder(folder)
  terminal.say('Trusted.')
  return 0
}

function folderAt(given: string): string {
  try {
    const path = realpathSync.native(resolve(given))
    if (statSync(path).isDirectory()) return path
  } catch {
    // Treated as a file: it cannot be trusted as a folder.
  }
  throw usageProblem(`There is no folder ${given}.`)
}
