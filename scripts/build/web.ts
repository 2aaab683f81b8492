/** Makes the files that a browser loads. */
export const buildWeb = async (root: string, folder: string): Promise<void> => {
  // Only who builds has it.
  const { build } = await import('vite')
  await build({ root, configFile: `${root}/vite.config.ts`, logLevel: 'warn', build: { outDir: folder, emptyOutDir: true } })
}
