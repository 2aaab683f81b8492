/** Enumerations of the contract without its schemas. */
export * from '@lyceum/contract/constants'
