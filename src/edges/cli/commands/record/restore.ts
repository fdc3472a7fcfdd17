import { recordPlaceOf } from '../../../../host/backups/record-place.js'
import { restoreBackup, type RestoredBackup } from '../../../../host/backups/restore-backup.js'
import { ownCommand } from '../../../../platform/text/own-command.js'
import { oneLine } from '../../../../platform/text/printable.js'
import type { ExitCode, Given } from '../../program/command.js'
import { loadSettingsOrStop } from '../../program/load-or-stop.js'
import { countText } from '../../terminal/count-text.js'
import type { Terminal } from '../../terminal/terminal.js'

export async function run(
  { arguments: [folder = ''], options }: Given,
  terminal: Terminal,
): Promise<ExitCode> {
  const place = recordPlaceOf(await loadSettingsOrStop(options), options.store)
  try {
    const restored = await restoreBackup(place, folder, {
      withoutTokens: options['withoutTokens'] === true,
    })
    if (options.json) terminal.printJson(toJson(restored), 2)
    else for (const line of linesOf(restored, place.blobs.kind)) terminal.print(line)
    return 0
  } finally {
    await place.store.close()
  }
}

function toJson({ manifest, ...counts }: RestoredBackup): object {
  return {
    backup_created_at: manifest.created_at,
    is_exact: counts.isExact,
    calls: counts.calls,
    known_calls: counts.knownCalls,
    deleted_calls: counts.deletedCalls,
    documents: counts.documents,
    blobs: counts.blobs,
    ended_calls: counts.endedCalls,
    tokens: counts.tokens,
  }
}

function linesOf(restored: RestoredBackup, blobsIn: string): string[] {
  const { manifest, calls, knownCalls, deletedCalls, documents, blobs, endedCalls, isExact, tokens } =
    restored
  const { kind, location } = manifest.blobs
  return [
    `Restored the backup of ${manifest.created_at}: ${countText(calls, 'call')}, ${countText(documents, 'document')} and ${countText(blobs, 'blob')} added.`,
    ...(isExact ? ['The store had no records: it is now exactly the backup.'] : []),
    ...(knownCalls > 0
      ? [`${countText(knownCalls, 'call')} of it were there already, and stay unchanged.`]
      : []),
    ...(deletedCalls > 0
      ? [`${countText(deletedCalls, 'call')} of it were deleted here since then, and stay deleted.`]
      : []),
    ...(endedCalls > 0
      ? [`${countText(endedCalls, 'open call')} ended: no process runs them any more.`]
      : []),
    ...(kind === 's3' && blobsIn !== 's3'
      ? [`Its stored bytes are in a bucket, ${location}; set blobs in the config to read them.`]
      : []),
    ...(tokens.length > 0
      ? [
          `${countText(tokens.length, 'named token')} came back and ${tokens.length === 1 ? 'is' : 'are'} valid: ${tokens.map(oneLine).join(', ')}. A backup does not know of later revocations; to revoke one again: ${ownCommand('tokens revoke <name>')}`,
        ]
      : []),
    'Calls that wait for approval resume only with the key of the user who made them, which is not part of a backup.',
  ]
}
