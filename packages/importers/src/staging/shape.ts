/** Affinity of a staged column. Values that do not fit, such as `abc` in an integer column, stay text. */
export type ColumnType = 'integer' | 'real' | 'text' | 'blob'

/** A value of a source row. Numbers may be text; the column type converts them. */
export type Value = string | number | bigint | Uint8Array | null

/** The part of a source table that a reader needs. */
export interface TableShape {
  /** Columns in the order of the source's schema, used for dumps without table definitions. Other columns are not copied. */
  readonly columns: Readonly<Record<string, ColumnType>>
  /** Primary key. Rows with a duplicate key are not copied. */
  readonly key?: string
  /** Column lists to index, such as `object_type, object_id`. */
  readonly indexes?: readonly string[]
  /** Copies only rows whose value of `column` passes the test. */
  readonly keep?: { readonly column: string; readonly test: (value: Value) => boolean }
}

/** Returns the shape of a source table; null if the reader does not need it. */
export type Wanted = (table: string) => TableShape | null

/** A row, or a part of a table, that could not be copied. */
export interface Problem {
  readonly table: string
  /** Location, such as `byte 1024`. */
  readonly place: string
  readonly reason: string
}
