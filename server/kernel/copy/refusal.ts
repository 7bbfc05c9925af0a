/** Thrown if a copy, backup or restore cannot run. The message starts with the code and says how to proceed. */
export class CopyRefusal extends Error {
  override readonly name = 'CopyRefusal'
  readonly code: CopyRefusalCode
  constructor(code: CopyRefusalCode, message: string) {
    super(`${code}: ${message}`)
    this.code = code
  }
}

export type CopyRefusalCode =
  | 'backup_damaged'
  | 'backup_format_unknown'
  | 'backup_not_found'
  | 'backup_of_other_release'
  | 'copy_differs'
  | 'database_not_current'
  | 'database_not_empty'
  | 'database_not_found'
  | 'database_unreachable'
  | 'database_without_keys'
  | 'key_file_missing'
  | 'path_taken'
  | 'row_refused'
  | 'servers_running'
  | 'unknown_migrations'
  | 'unknown_tables'
  | 'wrong_key'
