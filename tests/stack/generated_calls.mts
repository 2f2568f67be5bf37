// A program with the client that openapi-typescript makes of the document.
import createClient from "openapi-fetch";
import type { paths } from "./schema.js";
declare const process: { argv: string[] };
const [baseUrl, key] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });
const added = await client.POST("/api/memories", { body: { text: "I play the violin" } });
if (added.error) throw new Error(added.error.detail);
const id = added.data.decisions[0]?.id;
if (!id) throw new Error("nothing was added");
const found = await client.GET("/api/memories/search", { params: { query: { q: "violin" } } });
if (found.error) throw new Error(found.error.detail);
const deleted = await client.DELETE("/api/memories/{memory}", { params: { path: { memory: id } } });
if (deleted.error) throw new Error(deleted.error.detail);
const gone = await client.GET("/api/memories/{memory}", { params: { path: { memory: id } } });
console.log(
  JSON.stringify({
    found: found.data.memories.map((memory) => memory.text),
    forgotten: deleted.data.forgotten.includes(id),
    refused: gone.error?.reason,
  }),
);
