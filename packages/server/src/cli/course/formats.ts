/** The file formats. Commands import this file dynamically, so that a server does not load them. */
export * from '@lyceum/importers'
