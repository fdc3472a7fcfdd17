import type { CommandFamily } from '../../command-spec.js'
import { isPlainQuery } from '../../grammars/is-plain-sql.js'

/** Clients of databases without a Debian package. */
export const databasesFromManuals: CommandFamily = {
  // It may select from a URL.
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
