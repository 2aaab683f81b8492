/** What a browser sees at `/`. */
export const startPage = ({ apiRoot }: { apiRoot: string }) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Lyceum</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 34rem; margin: 12vh auto; padding: 0 1.25rem }
h1 { font-size: 2rem; margin: 0 0 .5rem }
a { color: light-dark(#0b57d0, #a8c7fa) }
code { background: light-dark(#eee, #333); padding: .1em .35em; border-radius: 4px }
</style>
</head>
<body>
<main>
<h1>Lyceum</h1>
<p>The community server is running.</p>
<ul>
<li><a href="/docs/">Interactive API reference</a></li>
<li><a href="${apiRoot}/openapi.json">OpenAPI document</a></li>
<li><a href="/health/ready">Health</a></li>
</ul>
<p>Make an account with <code>npx lyceum user create</code>, or follow the one-time link that the first start prints.</p>
</main>
</body>
</html>
`
