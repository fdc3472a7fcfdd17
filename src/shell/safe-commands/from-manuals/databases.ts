import type { CommandFamily } from '../../command-spec.js'
import { isPlainQuery } from '../../grammars/is-plain-sql.js'

/** Clients of databases that Debian has no package of. */
export const databasesFromManuals: CommandFamily = {
  // What it selects from may be an address on the web.
  duckdb: { style: 'words', needs: '-help -version', options: '-help -version', operands: 0 },
  sqlcmd: {
    isOpenWorld: true,
    verbs: {
      '-h': { operands: 0 },
      config: {
        verbs: {
          'view connection-strings cs get-contexts get-endpoints get-users current-context': {
            options: '--detailed',
          },
        },
      },
      query: { options: '-d= --database=', operands: 1, operand: isPlainQuery },
    },
  },
}
