// A program that calls Meddie through mem0's client for Node.js, as mem0_calls.py does.
import MemoryClient from "mem0ai";

const [host, apiKey, user_id] = process.argv.slice(2);
const client = new MemoryClient({ apiKey, host });
const filters = { user_id };
const message = (content) => [{ role: "user", content }];
const told = await client.add(message("I play the violin"), { userId: user_id, infer: false });
const first = told.results[0].id;
const results = {
  told,
  again: await client.add(message("I play the violin"), { filters, infer: false }),
  queued: await client.add(message("I live in Gdynia by the sea"), { userId: user_id }),
  got: await client.get(first),
  listed: await client.getAll({ filters }),
  page: await client.getAll({ filters: { AND: [filters] }, page: 1, pageSize: 1 }),
  found: await client.search("Who plays the violin?", { filters, topK: 3 }),
  updated: await client.update(first, { text: "I play the cello" }),
  kept_id: await client.get(first),
  history: await client.history(first),
  users: await client.users(),
  deleted: await client.delete(first),
};
try {
  await client.get(first);
} catch (error) {
  results.missing = error.constructor.name;
}
await client.add(message("I like tea"), { userId: user_id, infer: false });
results.all_deleted = await client.deleteAll({ userId: user_id });
results.left = await client.getAll({ filters });
console.log(JSON.stringify(results));
