/** The LIKE pattern of what contains this text; goes with `escape '\'`. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`
