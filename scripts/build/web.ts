/** Makes the files that a browser loads. */
export const buildWeb = async (root: string, folder: string): Promise<void> => {
  // Whatever whoever asks for it runs as: a runner of tests says `test`, for which React would be built as for development.
  process.env['NODE_ENV'] = 'production'
  // Only who builds has it.
  const { build } = await import('vite')
  // Vite warns of its own way with style sheets, which says nothing to whoever starts a server.
  await build({ root, configFile: `${root}/vite.config.ts`, logLevel: 'error', build: { outDir: folder, emptyOutDir: true } })
}
