/** A mark of the editor's document. */
export interface EditorMark {
  type: string
  attrs?: Record<string, unknown>
}

/** A node of the editor's document, in Tiptap's JSON format. */
export interface EditorNode {
  type?: string
  attrs?: Record<string, unknown>
  content?: EditorNode[]
  marks?: EditorMark[]
  text?: string
}

/** A code language that the server accepts. */
export const LANGUAGE = /^[A-Za-z0-9_+#.-]{1,40}$/

export const childrenOf = (node: EditorNode): readonly EditorNode[] => node.content ?? []

/** A string attribute; '' if it is missing or not a string. */
export const textAttribute = (of: EditorNode | EditorMark, name: string): string => {
  const value = of.attrs?.[name]
  return typeof value === 'string' ? value : ''
}
