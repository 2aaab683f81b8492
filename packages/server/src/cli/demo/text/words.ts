/** Short entries, divided by commas. */
export const words = (text: string): string[] => text.trim().split(/\s*,\s+/)

/** Sentences, one a line. */
export const lines = (text: string): string[] => text.trim().split(/\s*\n\s*/)
