// The window's start.
import "./app.css";

import { mount } from "svelte";

import App from "./App.svelte";
import { followLanguage } from "$lib/look.svelte";

followLanguage();
const target = document.getElementById("app");
if (target) mount(App, { target });
