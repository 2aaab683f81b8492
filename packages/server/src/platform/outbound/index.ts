export { addressMatcher, isPublicAddress } from './addresses.ts'
export { createDirectClient, type DirectAnswer, type DirectClient, type DirectRequest } from './direct.ts'
export { OutboundError, type OutboundReason } from './error.ts'
export { createOutbound, type Outbound, type OutboundAnswer, type OutboundOptions, type OutboundRequest } from './outbound.ts'
