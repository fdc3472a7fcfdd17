import type { DatabaseEngine } from '../../../compiled.js'
import type { Engine } from '../session.js'
import { bigquery } from './bigquery.js'
import { mssql } from './mssql.js'
import { mysql } from './mysql.js'
import { postgresql } from './postgresql.js'
import { rdsDataApi } from './rds-data-api.js'
import { snowflake } from './snowflake.js'

export const engines: Readonly<Record<DatabaseEngine, Engine>> = {
  postgresql,
  mysql,
  mssql,
  bigquery,
  snowflake,
  'rds-data-api': rdsDataApi,
}
