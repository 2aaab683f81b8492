/** A LIKE pattern for texts that contain this one; use it with `escape '\'`. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`
