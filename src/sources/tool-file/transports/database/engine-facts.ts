import type { DatabaseEngine } from '../../compiled.js'

/** What holds for an engine. `docs/tool-file-transports.md` has the same tables. */
export interface EngineFacts {
  readonly title: string
  readonly package: string
  /** How calls of a retrieval tool are kept from writing. */
  readonly retrieval: string
  /** Whether that is a read-only transaction, which the server enforces. */
  readonly hasReadOnlyTransaction: boolean
  /** What keeps a text to one statement. */
  readonly oneStatement: string
  /** The time limit on the server. */
  readonly timeLimit: string
  readonly cancellation: string
  /** The role to create for retrieval tools. */
  readonly role: string
  readonly hasOrm: boolean
}

export const engineFacts: Readonly<Record<DatabaseEngine, EngineFacts>> = {
  postgresql: {
    title: 'PostgreSQL',
    package: 'pg',
    retrieval: 'BEGIN READ ONLY: the server refuses every write (25006), also in functions',
    hasReadOnlyTransaction: true,
    oneStatement: 'the extended protocol accepts one statement',
    timeLimit: 'statement_timeout of the transaction',
    cancellation: 'pg_cancel_backend on a second connection',
    role: 'a role with SELECT on the tables; no superuser, because COPY … TO PROGRAM is a superuser’s and is no write of the transaction',
    hasOrm: true,
  },
  mysql: {
    title: 'MySQL',
    package: 'mysql2',
    retrieval:
      'START TRANSACTION READ ONLY, in a session that is READ ONLY: the server refuses writes and DDL (1792), also in functions and procedures, unless a procedure makes its session READ WRITE and commits',
    hasReadOnlyTransaction: true,
    oneStatement: 'a prepared statement is one statement',
    timeLimit:
      'max_execution_time (MySQL, only for SELECT) or max_statement_time (MariaDB); for the rest the call sends KILL QUERY',
    cancellation: 'KILL QUERY on a second connection',
    role: 'a user with SELECT on the tables; without FILE, because SELECT … INTO OUTFILE is no write of the transaction',
    hasOrm: true,
  },
  mssql: {
    title: 'SQL Server',
    package: 'tedious',
    retrieval: 'none: the transaction is rolled back, so that ordinary writes do not remain',
    hasReadOnlyTransaction: false,
    oneStatement:
      'texts with a semicolon between statements are refused; T-SQL also has statements without one',
    timeLimit: 'none on the server: the call sends an attention signal',
    cancellation: 'attention signal',
    role: 'a user with the role db_datareader only',
    hasOrm: true,
  },
  bigquery: {
    title: 'BigQuery',
    package: '@google-cloud/bigquery',
    retrieval: 'none: a dry run must say that the statement is a SELECT before it runs',
    hasReadOnlyTransaction: false,
    oneStatement: 'a dry run that says SCRIPT is refused',
    timeLimit: 'jobTimeoutMs of the job',
    cancellation: 'jobs.cancel',
    role: 'a service account with roles/bigquery.dataViewer on the dataset and roles/bigquery.jobUser on the project',
    hasOrm: false,
  },
  snowflake: {
    title: 'Snowflake',
    package: 'snowflake-sdk',
    retrieval:
      'none: the transaction is rolled back, so that ordinary writes do not remain; DDL commits by itself',
    hasReadOnlyTransaction: false,
    oneStatement: 'MULTI_STATEMENT_COUNT is 1',
    timeLimit: 'STATEMENT_TIMEOUT_IN_SECONDS of the statement',
    cancellation: 'the statement is aborted by its query id',
    role: 'a role with USAGE on the warehouse, the database and the schema, and SELECT on the tables',
    hasOrm: false,
  },
  'rds-data-api': {
    title: 'RDS Data API',
    package: '@aws-sdk/client-rds-data',
    retrieval:
      'Aurora PostgreSQL: SET TRANSACTION READ ONLY in the transaction; Aurora MySQL: none, the transaction is rolled back',
    hasReadOnlyTransaction: false,
    oneStatement: 'texts with a semicolon between statements are refused',
    timeLimit:
      'statement_timeout of the transaction (Aurora PostgreSQL); the API itself ends statements after 45 seconds',
    cancellation: 'the request is aborted and the transaction rolled back',
    role: 'a database user with SELECT on the tables, in the secret that the API uses',
    hasOrm: false,
  },
}
