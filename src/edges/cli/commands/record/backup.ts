import { createBackup } from '../../../../host/backups/create-backup.js'
import { recordPlaceOf } from '../../../../host/backups/record-place.js'
import { hasRecord } from '../../../../storage/has-record.js'
import type { ExitCode, Given } from '../../program/command.js'
import { loadSettingsOrStop } from '../../program/load-or-stop.js'
import { usageProblem } from '../../program/usage-problem.js'
import { countText } from '../../terminal/count-text.js'
import type { Terminal } from '../../terminal/terminal.js'

export async function run(
  { arguments: [folder = ''], options }: Given,
  terminal: Terminal,
): Promise<ExitCode> {
  const place = recordPlaceOf(await loadSettingsOrStop(options), options.store)
  const { store } = place
  if (!hasRecord(store)) throw usageProblem(`Nothing was recorded yet in ${store.location}.`)
  await store.open()
  try {
    const { files: _, ...manifest } = await createBackup(place, folder)
    if (options.json) terminal.printJson(manifest, 2)
    else {
      const { calls, documents } = manifest.store
      const { kind, location, count, bytes, missing } = manifest.blobs
      terminal.print(
        `Backed up ${countText(calls, 'call')}, ${countText(documents, 'document')} and ${countText(count, 'blob')} (${countText(bytes, 'byte')}).`,
      )
      if (kind === 's3')
        terminal.explain(`The stored bytes stay in their bucket, ${location}; the backup refers to it.`)
      if (missing > 0)
        terminal.explain(`${countText(missing, 'blob')} that records refer to no longer existed.`)
      terminal.explain(
        'The config and the key of this user are not part of it: without the key, calls that wait for approval cannot be resumed, and protected results cannot be read.',
      )
    }
    return 0
  } finally {
    await store.close()
  }
}
