/** Builds the web app. */
export const buildWeb = async (root: string, folder: string): Promise<void> => {
  // Regardless of the caller: with NODE_ENV=test, React would be a development build.
  process.env['NODE_ENV'] = 'production'
  // A development dependency.
  const { build } = await import('vite')
  // Warnings of Vite about style sheets do not help people who start a server.
  await build({ root, configFile: `${root}/vite.config.ts`, logLevel: 'error', build: { outDir: folder, emptyOutDir: true } })
}
