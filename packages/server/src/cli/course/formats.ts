/** The only door to the file formats: commands load it when they run, so that a server never does. */
export * from '../../../../importers/src/index.ts'
