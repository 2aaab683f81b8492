/** How a staged column compares and sorts. Values that do not fit, such as `abc` in an integer column, keep their text. */
export type ColumnType = 'integer' | 'real' | 'text' | 'blob'

/** A value of a source row. Numbers may be text: the type of the column converts them. */
export type Value = string | number | bigint | Uint8Array | null

/** What a reader needs of a table of the source. */
export interface TableShape {
  /** Columns in the order of the source's own definition, which names the values of dumps without structure. Others are not copied. */
  readonly columns: Readonly<Record<string, ColumnType>>
  /** The primary key: a row whose key is taken is not copied. */
  readonly key?: string
  /** Lists of columns to index, such as `object_type, object_id`. */
  readonly indexes?: readonly string[]
  /** Copies only rows whose value of `column` passes. */
  readonly keep?: { readonly column: string; readonly test: (value: Value) => boolean }
}

/** The shape of a table by its name in the source; null if the reader does not need it. */
export type Wanted = (table: string) => TableShape | null

/** A row, or a part of a table, that could not be copied. */
export interface Problem {
  readonly table: string
  /** Where it was, such as `byte 1024`. */
  readonly place: string
  readonly reason: string
}
