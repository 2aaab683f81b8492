/** The OpenAPI 3.1 document of the API below `root`. */
export const openapiDocument = (root: string) => ({ openapi: '3.1.0', info: { title: 'Lyceum', version: '2' }, servers: [{ url: root }], paths: {} })
