/** A mark of the editor's document. */
export interface EditorMark {
  type: string
  attrs?: Record<string, unknown>
}

/** A node of the editor's document, as Tiptap's JSON has it. */
export interface EditorNode {
  type?: string
  attrs?: Record<string, unknown>
  content?: EditorNode[]
  marks?: EditorMark[]
  text?: string
}

/** A language of code that the server knows code to be in. */
export const LANGUAGE = /^[A-Za-z0-9_+#.-]{1,40}$/

export const childrenOf = (node: EditorNode): readonly EditorNode[] => node.content ?? []

/** An attribute that is a text; '' if it is missing or something else. */
export const textAttribute = (of: EditorNode | EditorMark, name: string): string => {
  const value = of.attrs?.[name]
  return typeof value === 'string' ? value : ''
}
